/** What `preview-thread.mjs` uses of a package whose own types a resolver of `exports` cannot find. */
declare module '@resvg/resvg-wasm' {
  export function initWasm(bytes: Uint8Array): Promise<void>;
  export class Resvg {
    constructor(svg: string, options: { font: { fontBuffers: readonly Uint8Array[] } });
    render(): { asPng(): Uint8Array; free(): void };
    free(): void;
  }
}
