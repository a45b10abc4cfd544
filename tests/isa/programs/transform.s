!!VP1.0
# Transform, one directional light with a specular power, texture coordinates: the common case of
# fixed function.
DEF c[20] = { 0.0, 1.0, 0.5, 128.0 };
DP4 o[HPOS].x, c[0], v[OPOS];
DP4 o[HPOS].y, c[1], v[OPOS];
DP4 o[HPOS].z, c[2], v[OPOS];
DP4 o[HPOS].w, c[3], v[OPOS];
DP3 R0.x, c[4], v[NRML];
DP3 R0.y, c[5], v[NRML];
DP3 R0.z, c[6], v[NRML];
DP3 R0.w, R0, R0;
RSQ R0.w, R0.w;
MUL R0.xyz, R0, R0.w;
DP3 R1.x, R0, c[7];
DP3 R1.y, R0, c[8];
MOV R1.w, c[20].w;
LIT R2, R1;
MUL R3, R2.y, c[9];
ADD R3, R3, c[10];
MAD o[COL0].xyz, R2.z, c[11], R3;
MOV o[COL0].w, c[9].w;
MOV o[TEX0], v[TEX0];
END
