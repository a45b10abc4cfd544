// SPDX-License-Identifier: MIT
//
// usage: browsers.mjs MODULES WAY URL [ARGUMENT...]
//
// Opens a page in a browser of Debian, waits until its title is "done" or "failed", and prints a
// line of JSON with the page's messages, vendor, renderer and times in milliseconds.
//
//    MODULES   folder that contains node_modules
//    WAY       puppeteer, playwright, firefox (driven by Puppeteer)
//    ARGUMENT  of the browser; --headful is not passed on, but shows a window
//
// $SGPU_SHOT names a file for a picture of the page.
import { createRequire } from 'node:module';
import path from 'node:path';

const [modules, way, url, ...rest] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, 'package.json'));
const headless = !rest.includes('--headful');
const args = rest.filter(word => word !== '--headful');
const seconds = 120;

async function launch() {
   const common = { headless, env: process.env, args };
   const inContainer = ['--no-sandbox', '--disable-dev-shm-usage'];
   if (way === 'firefox')
      return require('puppeteer-core').launch({ ...common, browser: 'firefox',
         executablePath: process.env.FIREFOX,
         // Firefox otherwise tells pages "Generic Renderer".
         extraPrefsFirefox: { 'webgl.sanitize-unmasked-renderer': false } });
   const chromium = { ...common, executablePath: process.env.CHROMIUM,
      args: [...inContainer, ...args] };
   return way === 'playwright' ? require('playwright-core').chromium.launch(chromium)
      : require('puppeteer-core').launch(chromium);
}

const start = Date.now();
const browser = await launch();
const messages = [];
let names, launched, shown;
try {
   const page = await browser.newPage();
   page.on('console', message => messages.push(message.text()));
   launched = Date.now();
   await page.goto(url);
   const done = () => /^(done|failed)$/.test(document.title);
   if (way === 'playwright')
      await page.waitForFunction(done, null, { timeout: seconds * 1000 });
   else
      await page.waitForFunction(done, { timeout: seconds * 1000 });
   shown = Date.now();
   names = await page.evaluate(() => {
      const gl = document.createElement('canvas').getContext('webgl');
      const info = gl && gl.getExtension('WEBGL_debug_renderer_info');
      return info ? [gl.getParameter(info.UNMASKED_VENDOR_WEBGL),
         gl.getParameter(info.UNMASKED_RENDERER_WEBGL)] : ['', ''];
   });
   if (process.env.SGPU_SHOT)
      await page.screenshot({ path: process.env.SGPU_SHOT });
} catch (e) {
   messages.push('program: FAIL ' + e.message);
} finally {
   await browser.close();
}
console.log(JSON.stringify({ messages, vendor: names?.[0], renderer: names?.[1],
   launch: launched - start, page: shown - launched }));
