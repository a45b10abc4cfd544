!!SGFP1.0
# A loop with break and continue around a divergent branch; textures and derivatives.
TEMPS 12;
SCRATCH 64;
DEF c[8] = { 0.0, 1.0, 0.25, 3.1415927 };
DEF c[9] = { 0x00000000, 0x00000001, 0x00000010, 0xffffffff };
   MOV R0, c[8].x;
   MOV R1.x, c[9].x;
   PBK out;
loop:
   PCNT next;
   ISETP.GE P0.x, R1.x, c[9].z;
   (P0.x) BRK;
   I2F R2.x, R1.x;
   MAD R3.xy, R2.x, c[8].z, v[0];
   TXL R4, R3, c[8].x, tex[0], smp[0], 2D, (1, -1);
   FSETP.LT P1.x, R4.w, c[8].z;
   (P1.x) CONT;
   SSY joined;
   FSETP.GT P2.xy, |R4|, v[1].yxxx;
   (!P2.y) BRA dark;
   MAD_SAT R0, R4, R4.w, R0;
   SYNC;
dark:
   (P2.x) MOV R0.w, c[8].y;
   ARI A0.x, R1.x;
   MOV R[A0.x + 4].z, c[A0.x + 2];
   SYNC;
joined:
   STL l[R1.x + 16].xy, R0;
   CONT;
next:
   IADD R1.x, R1.x, c[9].y;
   BRA loop;
out:
   DDX R5, v[2];
   DDYF R6, -v[2];
   TXD R7, v[0], R5, tex[A0.x + 1], smp[A0.x + 1], SHADOW2D;
   TG4 R8, v[0], R1, tex[2].z, smp[2], 2D_ARRAY;
   TXF R9, R1, R1.w, tex[3], 2D_MS;
   TXQ R10.xy, tex[4], BUFFER;
   LDC R11, cb[1][R1.x + 32];
   LDL R2, l[16];
   FSETP.NE P3.x, R0, R11;
   (P3.x) KIL;
   SEL o[COLR0], R2, R0, -R7;
   MOV o[DEPR].x, s[POSITION].z;
END
