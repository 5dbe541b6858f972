// Takes the chart library out of pages of docs/examples and names the one beside them instead:
// `node scripts/share-charts.js PAGE…`. A page that names it already stays as it is. A page's policy
// lets run what has its sum; a file beside it has to be let in by its scheme, as `file:` has no sums.
const fs = require('fs');

const LIBRARY = 'echarts.min.js';
const library = fs.readFileSync('docs/examples/' + LIBRARY, 'utf8');

for (const page of process.argv.slice(2)) {
    const text = fs.readFileSync(page, 'utf8');
    const inline = `<script>${library}</script>`;
    if (!text.includes(inline)) {
        if (!text.includes(`"${LIBRARY}"`)) throw new Error(`${page}: no chart library in it`);
        continue;
    }
    const shared = text
        .split(inline).join(`<script src="${LIBRARY}"></script>`)
        .replace('script-src ', "script-src 'self' file: ");
    fs.writeFileSync(page, shared);
}
