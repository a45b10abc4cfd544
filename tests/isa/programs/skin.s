!!VP1.0
# Skinning with two matrices from a palette; attenuation with DST.
DEF c[90] = { 3.0, 20.0, 1.0, -0.5 };
MAD R0.xy, v[WGHT].zwxx, c[90].x, c[90].y;
ARL A0.x, R0.x;
DP4 R1.x, c[A0.x], v[OPOS];
DP4 R1.y, c[A0.x + 1], v[OPOS];
DP4 R1.z, c[A0.x + 2], v[OPOS];
ARL A0.x, R0.y;
DP4 R2.x, c[A0.x], v[OPOS];
DP4 R2.y, c[A0.x + 1], v[OPOS];
DP4 R2.z, c[A0.x + 2], v[OPOS];
MUL R1.xyz, R1, v[WGHT].x;
MAD R1.xyz, R2, v[WGHT].y, R1;
MOV R1.w, c[90].z;
DP4 o[HPOS].x, c[0], R1;
DP4 o[HPOS].y, c[1], R1;
DP4 o[HPOS].z, c[2], R1;
DP4 o[HPOS].w, c[3], R1;
ADD R3.xyz, c[4], -R1;
DP3 R3.w, R3, R3;
RSQ R4.w, R3.w;
DST R5, R3.w, R4.w;
DP3 R5.w, R5, c[5];
RCP R5.w, R5.w;
MAX R5.w, R5.w, -R5.w;
MIN o[COL0], R5.w, c[90].z;
EXP R6, -R3.w;
LOG R7.z, R3.w;
SLT R8.x, R6.z, R7.z;
SGE o[FOGC].x, R8.x, c[90].w;
END
