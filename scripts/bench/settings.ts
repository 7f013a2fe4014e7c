/** What a program of the suite is told: the row's name first, then `name=value`. */
export type Settings = {
  row: string;
  text: (name: string, other: string) => string;
  number: (name: string, other: number) => number;
};

export function readSettings(words: readonly string[]): Settings {
  const [row = '', ...rest] = words;
  const told = new Map(rest.map((word) => word.split('=', 2) as [string, string]));
  const text = (name: string, other: string) => told.get(name) ?? other;
  return {
    row,
    text,
    number(name, other) {
      const value = Number(text(name, String(other)));
      if (!Number.isInteger(value) || value < 0)
        throw new Error(`${row}: ${name} is a whole number, found "${told.get(name)}"`);
      return value;
    },
  };
}
