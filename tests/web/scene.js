// SPDX-License-Identifier: MIT
//
// A scene of WebGL 1 whose pixels are compared exactly, for browsers (webgl1.html) and for Node.js
// with the package gl (headless_gl.cjs): a textured torus with depth and mipmaps is drawn to a
// texture, and then the texture, transparent points and a scissored clear to the canvas.
(function (root) {
   'use strict';
   const SIZE = 256;

   function program(gl, vertex, fragment) {
      const p = gl.createProgram();
      for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
         const s = gl.createShader(type);
         gl.shaderSource(s, text);
         gl.compileShader(s);
         if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw Error(gl.getShaderInfoLog(s));
         gl.attachShader(p, s);
      }
      gl.bindAttribLocation(p, 0, 'position');
      gl.bindAttribLocation(p, 1, 'normal');
      gl.linkProgram(p);
      if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw Error(gl.getProgramInfoLog(p));
      return p;
   }

   function buffer(gl, target, data) {
      const b = gl.createBuffer();
      gl.bindBuffer(target, b);
      gl.bufferData(target, data, gl.STATIC_DRAW);
      return b;
   }

   // Returns positions with normals, and indices, of a torus with n by n vertices.
   function torus(n) {
      const vertices = [], indices = [];
      for (let i = 0; i < n; i++) {
         for (let k = 0; k < n; k++) {
            const a = i / n * 2 * Math.PI, b = k / n * 2 * Math.PI;
            const nx = Math.cos(a) * Math.cos(b), ny = Math.sin(b), nz = Math.sin(a) * Math.cos(b);
            vertices.push(Math.cos(a) * 0.6 + nx * 0.25, ny * 0.25, Math.sin(a) * 0.6 + nz * 0.25,
               nx, ny, nz);
            const at = (di, dk) => (i + di) % n * n + (k + dk) % n;
            indices.push(at(0, 0), at(0, 1), at(1, 0), at(1, 0), at(0, 1), at(1, 1));
         }
      }
      return [new Float32Array(vertices), new Uint16Array(indices)];
   }

   // A 64x64 checkerboard with mipmaps.
   function checkerboard(gl) {
      const texels = new Uint8Array(64 * 64 * 4);
      for (let y = 0, o = 0; y < 64; y++)
         for (let x = 0; x < 64; x++, o += 4)
            texels.set((x >> 3 ^ y >> 3) & 1 ? [240, 200, 60, 255] : [40, 90, 200, 255], o);
      const t = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, t);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
      gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      return t;
   }

   // Returns a framebuffer with a texture and a depth buffer, and the texture.
   function target(gl) {
      const t = gl.createTexture(), depth = gl.createRenderbuffer(), f = gl.createFramebuffer();
      gl.bindTexture(gl.TEXTURE_2D, t);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, SIZE, SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
      gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, SIZE, SIZE);
      gl.bindFramebuffer(gl.FRAMEBUFFER, f);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, t, 0);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
      if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE)
         throw Error('incomplete framebuffer');
      return [f, t];
   }

   function drawTorus(gl) {
      const p = program(gl, `
         attribute vec3 position, normal;
         varying vec3 n, at;
         void main() {
            float c = cos(0.7), s = sin(0.7);
            mat3 turn = mat3(1, 0, 0, 0, c, s, 0, -s, c);
            n = turn * normal;
            at = position;
            gl_Position = vec4(turn * position, 1.3 + (turn * position).z * 0.3);
         }`, `
         precision highp float;
         uniform sampler2D image;
         varying vec3 n, at;
         void main() {
            float light = max(dot(normalize(n), normalize(vec3(0.4, 0.6, -0.7))), 0.0);
            gl_FragColor = vec4(texture2D(image, at.xz * 2.0).rgb * (0.2 + 0.8 * light)
               + pow(light, 40.0) * 0.5, 1.0);
         }`);
      const [vertices, indices] = torus(48);
      buffer(gl, gl.ARRAY_BUFFER, vertices);
      buffer(gl, gl.ELEMENT_ARRAY_BUFFER, indices);
      gl.enableVertexAttribArray(0);
      gl.enableVertexAttribArray(1);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 24, 0);
      gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 24, 12);
      gl.useProgram(p);
      gl.clearColor(0.1, 0.12, 0.16, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_SHORT, 0);
      gl.disable(gl.DEPTH_TEST);
      gl.disableVertexAttribArray(1);
   }

   function drawRest(gl, texture) {
      const show = program(gl, `
         attribute vec2 position;
         varying vec2 at;
         void main() { at = position * 0.5 + 0.5; gl_Position = vec4(position, 0, 1); }`, `
         precision mediump float;
         uniform sampler2D image;
         varying vec2 at;
         void main() { gl_FragColor = texture2D(image, at); }`);
      const points = program(gl, `
         attribute vec2 position;
         void main() {
            gl_Position = vec4(position, 0, 1);
            gl_PointSize = 8.0 + 24.0 * (position.x + 1.0);
         }`, `
         precision mediump float;
         void main() {
            vec2 p = gl_PointCoord * 2.0 - 1.0;
            if (dot(p, p) > 1.0) discard;
            gl_FragColor = vec4(0.9, 0.3 + 0.2 * p.x, 0.2, 0.5);
         }`);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      buffer(gl, gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]));
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      gl.useProgram(show);
      gl.drawArrays(gl.TRIANGLES, 0, 3);

      buffer(gl, gl.ARRAY_BUFFER, new Float32Array([-0.8, 0.8, -0.4, 0.75, 0.1, 0.7, 0.65, 0.65]));
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      gl.useProgram(points);
      gl.drawArrays(gl.POINTS, 0, 4);
      gl.disable(gl.BLEND);

      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(8, 8, 24, 16);
      gl.clearColor(0.2, 0.7, 0.3, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.disable(gl.SCISSOR_TEST);
   }

   // Draws the scene.  Returns the RGBA pixels, bottom row first.
   function draw(gl) {
      gl.viewport(0, 0, SIZE, SIZE);
      const image = checkerboard(gl);
      const [framebuffer, texture] = target(gl);
      gl.bindTexture(gl.TEXTURE_2D, image);
      drawTorus(gl);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      drawRest(gl, texture);
      gl.deleteFramebuffer(framebuffer);
      const pixels = new Uint8Array(SIZE * SIZE * 4);
      gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      const error = gl.getError();
      if (error) throw Error('GL error 0x' + error.toString(16));
      return pixels;
   }

   // The same hash as that of tests/programs/webgl2.html: FNV-1a, 32 bits.
   function hash(pixels) {
      let h = 2166136261;
      for (const b of pixels) h = Math.imul(h ^ b, 16777619) >>> 0;
      return h.toString(16).padStart(8, '0');
   }

   // Returns vendor and renderer as a page sees them.
   function names(gl) {
      const info = gl.getExtension('WEBGL_debug_renderer_info');
      return [gl.getParameter(info ? info.UNMASKED_VENDOR_WEBGL : gl.VENDOR),
         gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)];
   }

   root.scene = { SIZE, draw, hash, names };
}(typeof module === 'object' ? module.exports : window));
