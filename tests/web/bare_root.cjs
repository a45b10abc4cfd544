// SPDX-License-Identifier: MIT
//
// Shows webgl1.html and webgl2.html with the package sgpu, in Puppeteer and Playwright, and
// compares the pictures with expected.json (bare_root.sh).
'use strict';
const sgpu = require('sgpu');
const expected = require('./expected.json');

const launchers = { puppeteer: require('puppeteer-core'),
   playwright: require('playwright-core').chromium };
const done = () => /^(done|failed)$/.test(document.title);

async function main() {
   let faults = 0;
   for (const [name, launcher] of Object.entries(launchers)) {
      const start = Date.now();
      const browser = await launcher.launch(sgpu.launchOptions({
         executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] }));
      for (const [file, query] of [['webgl1.html', ''], ['webgl2.html', '?frames=20']]) {
         const page = await browser.newPage();
         const messages = [];
         page.on('console', message => messages.push(message.text()));
         await page.goto(`file://${__dirname}/${file}${query}`);
         await (name === 'puppeteer' ? page.waitForFunction(done)
            : page.waitForFunction(done, null));
         const text = messages.join(', ');
         const good = /sgpu/.test(text) && text.includes('picture ' + expected[file]);
         if (!good) faults++;
         console.log(`${name} ${file}: ${good ? 'the expected picture' : 'FAIL ' + text} after `
            + `${Date.now() - start} ms`);
      }
      await browser.close();
   }
   process.exit(faults ? 1 : 0);
}

main();
