// Looks at the reports of docs/examples in Chromium, which share the chart library of this tree.
//
//   node examples.js FOLDER     with FATHOM_SCREENSHOTS set, screenshots are left in FOLDER
//
// Prints one line a check, `ok NAME` or `FAILED NAME: why`; ends with 1 where one failed.
'use strict';
const { watchedPage, drawAll, cutLabels, fitsItsWindow, picture, hold } = require('../../../report/tests/browser/browser.js');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const folder = process.argv[2];
const examples = path.join(__dirname, '../../../../docs/examples');
const pages = fs.readdirSync(examples).filter((name) => name.endsWith('.html'));

async function looksAt(browser, name) {
  const viewport = { width: 1280, height: 800 };
  const { page, context, wrong } = await watchedPage(browser, /^(file|data|blob):/, { viewport, colorScheme: 'light' });
  await page.goto(pathToFileURL(path.join(examples, name)).href);
  await picture(page, path.join(folder, name.replace('.html', '.png')), { fullPage: false });
  await drawAll(page);
  await fitsItsWindow(page, 'light');
  assert.deepEqual(await cutLabels(page), []);
  assert.deepEqual(wrong, []);
  await context.close();
}

assert.ok(pages.length >= 6, `${pages.length} pages`);
hold(Object.fromEntries(pages.map((name) => [name, (browser) => looksAt(browser, name)])), process.argv[3]);
