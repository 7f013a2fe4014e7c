/** Event streams hold a socket, so there is a limited number of places, and no caller and no page gets all of them. */
export type StreamLimits = { total: number; perCaller: number; perSubject: number };

/**
 * `caller`: an address or a visitor. `subject`: what is watched. `isOwner`: it holds a scarce proof, so it never gives way
 * to a stranger. `end`: another has its place now.
 */
export type Listener = { caller: string; subject: string; isOwner?: boolean; end: () => void };

export type StreamPlaces = {
  /** Always finds a place; returns a function that gives it back. */
  take: (listener: Listener) => () => void;
  open: () => number;
};

const LIMITS: StreamLimits = { total: 512, perCaller: 64, perSubject: 128 };

/**
 * The last to come gets a place: when none is left, the caller that has most gives up its oldest. So a caller with many
 * streams pushes out its own, and those of others only while they have as many. Addresses and cookies are free, so all
 * strangers give way before an owner does.
 */
export function createStreamPlaces(changed: { [Name in keyof StreamLimits]?: number | undefined } = {}): StreamPlaces {
  const { total = LIMITS.total, perCaller = LIMITS.perCaller, perSubject = LIMITS.perSubject } = changed;
  /** The oldest first. */
  const taken = new Set<Listener>();

  function makeRoom(group: readonly Listener[], max: number): void {
    if (group.length < max) return;
    const oldest = oldestOfMost(group);
    if (oldest === undefined) return;
    taken.delete(oldest);
    oldest.end();
  }

  return {
    take: (listener) => {
      makeRoom(
        [...taken].filter(({ caller }) => caller === listener.caller),
        perCaller,
      );
      makeRoom(
        [...taken].filter(({ subject }) => subject === listener.subject),
        perSubject,
      );
      makeRoom([...taken], total);
      taken.add(listener);
      return () => taken.delete(listener);
    },
    open: () => taken.size,
  };
}

function oldestOfMost(all: readonly Listener[]): Listener | undefined {
  const strangers = all.filter(({ isOwner = false }) => !isOwner);
  const group = strangers.length > 0 ? strangers : all;
  const counts = new Map<string, number>();
  for (const { caller } of group) counts.set(caller, (counts.get(caller) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return group.find(({ caller }) => counts.get(caller) === most);
}
