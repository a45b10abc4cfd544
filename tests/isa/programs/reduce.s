!!SGCP1.0
# A sum over a workgroup in shared memory, with barriers in a loop; buffers, images and
# atomic operations.
TEMPS 4;
DEF c[16] = { 0x00000004, 0x00000000, 0x00000001, 0x00000040 };
   IMUL R0, s[LOCAL_ID], c[16].x;
   LDI R1, s[GROUP_ID], img[0], 2D;
   STS sh[R0.x].x, R1;
   BAR;
   MOV R2.x, c[16].w;
   PBK out;
loop:
   USETP.LT P0.x, s[LOCAL_ID].x, R2.x;
   IMAD R3.x, R2.x, c[16].x, R0.x;
   (P0.x) LDS R3.y, sh[R3.x];
   (P0.x) LDS R1.y, sh[R0.x];
   (P0.x) IADD R1.y, R1.y, R3.y;
   (P0.x) STS sh[R0.x].y, R1;
   BAR;
   SHR R2.x, R2.x, c[16].z;
   ISETP.EQ P1.x, R2.x, c[16].y;
   (P1.x) BRK;
   BRA loop;
out:
   LDB R1.x, buf[1][R0.x + 16];
   STB buf[2][R0.x].xy, R1;
   ATS.UMAX _, sh[0], R1.x;
   ATB.ADD R3.x, buf[A0.x + 3][4], R1.y;
   ATB.CAS _, buf[0][0], R1;
   ATI.IMIN R3, s[GROUP_ID], R1, img[1], 2D_ARRAY;
   STI s[GROUP_ID], R3, img[A0.y + 2], 3D;
   SZB R0.x, buf[1];
   SZI R0, img[0], 2D;
END
