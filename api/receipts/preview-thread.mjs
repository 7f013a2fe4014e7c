/**
 * Draws one picture after the other, with fonts that are loaded once. Plain JavaScript, because a thread starts without
 * the loader that reads TypeScript; its caller is `preview-png.ts`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const { fonts } = /** @type {{ fonts: Uint8Array[] }} */ (workerData);
await initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));

parentPort?.on('message', (/** @type {string} */ svg) => {
  try {
    parentPort?.postMessage({ png: draw(svg) });
  } catch (error) {
    parentPort?.postMessage({ failure: String(error) });
  }
});

/** What it holds lies in the memory of the library, which nothing else gives back. */
function draw(/** @type {string} */ svg) {
  const picture = new Resvg(svg, { font: { fontBuffers: fonts } });
  try {
    const rendered = picture.render();
    try {
      return rendered.asPng();
    } finally {
      rendered.free();
    }
  } finally {
    picture.free();
  }
}
