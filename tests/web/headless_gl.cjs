// SPDX-License-Identifier: MIT
//
// Draws scene.js with the npm package gl (headless-gl), and prints the lines of webgl1.html.
// Needs an X server, since the ANGLE of that package uses GLX.
'use strict';
const { scene } = require('./scene.js');

const gl = require('gl')(scene.SIZE, scene.SIZE, { antialias: false });
if (!gl) {
   console.error('FAIL no context: is there an X server, and does DISPLAY name it?');
   process.exit(1);
}
console.log('program: ' + scene.names(gl)[1]);
console.log('program: ' + gl.getParameter(gl.VERSION) + ', '
   + gl.getSupportedExtensions().length + ' extensions');
console.log('program: picture ' + scene.hash(scene.draw(gl)));
