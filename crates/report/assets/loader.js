// Unpacks the scripts that this page carries compressed, and runs them. A browser that cannot shows the page without charts.
(async () => {
  'use strict';
  const packed = atob(document.getElementById('scripts').textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const script = document.createElement('script');
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})();
