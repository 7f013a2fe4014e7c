/**
 * Draws one picture and ends. Plain JavaScript, because a thread starts without the loader that reads TypeScript; its
 * caller is `preview-png.ts`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const { svg, fonts } = /** @type {{ svg: string, fonts: Uint8Array[] }} */ (workerData);
await initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));
parentPort?.postMessage(new Resvg(svg, { font: { fontBuffers: fonts } }).render().asPng());
