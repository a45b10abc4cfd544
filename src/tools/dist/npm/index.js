// SPDX-License-Identifier: MIT
'use strict';
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, `linux-${process.arch}`);
const run = path.join(folder, 'bin', 'sgpu-run');

// Returns the variables that sgpu-run sets, and none of this process's other variables.
function variables() {
   if (process.platform !== 'linux')
      throw new Error(`sgpu: runs on Linux, not on ${process.platform}`);
   if (!fs.existsSync(run))
      throw new Error(`sgpu: this package has no files for ${process.arch}: ${run}`);
   const text = execFileSync(run, ['--env'], { encoding: 'utf8' });
   const found = {};
   // Each line is export NAME='VALUE', where '\'' stands for an apostrophe.
   for (const [, name, value] of text.matchAll(/^export (\w+)='(.*)'$/gm))
      found[name] = value.replaceAll("'\\''", "'");
   return found;
}

function env(extra) {
   return { ...process.env, ...variables(), ...extra };
}

// The only argument that Chromium needs for WebGL without an X server.
const args = ['--use-angle=gl-egl'];

function launchOptions(options = {}) {
   return { ...options, env: env(options.env), args: [...args, ...(options.args ?? [])] };
}

module.exports = { args, env, folder, launchOptions, run, variables,
   version: require('./package.json').version };
