!!SGCP1.0
# Integer and bit operations.
DEF c[0] = { 0x00000005, 0x80000000, 1.5, -2.25 };
   IMAD R0, c[0], c[0].yxzw, c[0].x;
   IDIV R1, R0, c[0].x;
   UMOD R2, R0, c[0].x;
   SHL R3.xy, R1, c[0].x;
   ASHR R3.zw, R1, R2;
   IBFE R4, R3, R2, c[0].x;
   BFI R5, R4, R3, R2;
   FBHI R6, R5;
   USET.LE R7, R6, R5;
   AND R8, R7, c[0].z;
   F2I R9, -|R8|;
   U2F_SAT R9.x, R9;
   PK2H R9.y, R8;
   UP2H R9.zw, R9.y;
   USETP.LT P0, R9, R0;
   (P0.y) EXIT;
   NOT R0, R9;
END
