/** What a network and a tired server do to single calls. A fault hits the next `times` calls of its method. */
export type TelegramFault =
  /** The effect happens, and nobody hears of it: the connection breaks instead of an answer. */
  | { kind: 'lose_reply' }
  /** The connection breaks before anything happens. */
  | { kind: 'drop' }
  /** Answers this status in Telegram's form, and nothing happens. */
  | { kind: 'status'; status: number }
  /** Answers 429, and nothing happens. */
  | { kind: 'flood'; retryAfterSeconds: number }
  /** The effect happens at once, the answer comes later. */
  | { kind: 'delay'; delayMs: number };

export type SetFault = {
  /** How many calls it has hit. Assert on it: a fault that never fired has tested nothing. */
  fired: () => number;
  heal: () => void;
};

export type Faults = {
  /** Sets the fault of a method, or of every method with `*`; replaces an earlier one. */
  set: (method: string, fault: TelegramFault, times?: number) => SetFault;
  take: (method: string) => TelegramFault | null;
};

type Armed = { fault: TelegramFault; left: number; fired: number };

export function createFaults(): Faults {
  const armed = new Map<string, Armed>();
  return {
    set(method, fault, times = Number.POSITIVE_INFINITY) {
      const entry: Armed = { fault, left: times, fired: 0 };
      armed.set(method, entry);
      return { fired: () => entry.fired, heal: () => void (entry.left = 0) };
    },
    take(method) {
      for (const name of [method, '*']) {
        const entry = armed.get(name);
        if (!entry || entry.left <= 0) continue;
        entry.left -= 1;
        entry.fired += 1;
        return entry.fault;
      }
      return null;
    },
  };
}
