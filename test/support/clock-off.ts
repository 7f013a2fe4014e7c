/** A module that moves the clock of the process which loads it, for `--import`. */
export function clockOff(byMs: number): string {
  const code = `const real = Date; const now = () => real.now() + ${byMs};
globalThis.Date = class extends real {
  constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
  static now() { return now(); }
};`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
