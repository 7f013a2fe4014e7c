import { setImmediate } from 'node:timers/promises';

export type Gather<Row> = (key: string) => Promise<Row | null>;

/** Everything that is asked for in one turn of the event loop is read together, at its end. */
export function createGather<Row>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
  keysMax: number,
): Gather<Row> {
  let open: { keys: Set<string>; rows: Promise<ReadonlyMap<string, Row>> } | null = null;

  function begin() {
    const keys = new Set<string>();
    const round = { keys, rows: readLater() };
    async function readLater() {
      await setImmediate();
      if (open === round) open = null;
      return read([...keys]);
    }
    return round;
  }

  return async (key) => {
    if (open === null || open.keys.size >= keysMax) open = begin();
    open.keys.add(key);
    return (await open.rows).get(key) ?? null;
  };
}
