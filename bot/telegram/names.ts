/** What people call themselves: the core knows them by their numbers. A start forgets it all. */
const NAMES_MAX = 10_000;

export type Names = {
  learn: (person: { id: number; first_name: string; username?: string | undefined }) => void;
  /** For mentions. Undefined for a person whom nobody has seen since the start. */
  find: (id: number) => string | undefined;
  /** The person last seen with a username: tomorrow the name may be another person's. */
  findByUsername: (username: string) => number | undefined;
};

type Known = { name: string; username: string | undefined };

export function createNames(): Names {
  const people = new Map<number, Known>();
  const idByUsername = new Map<string, number>();

  function forget(id: number): void {
    const username = people.get(id)?.username;
    people.delete(id);
    if (username !== undefined && idByUsername.get(username) === id) idByUsername.delete(username);
  }

  return {
    learn({ id, first_name: name, username: written }) {
      const username = written?.toLowerCase();
      forget(id);
      people.set(id, { name, username });
      if (username !== undefined) idByUsername.set(username, id);
      const [oldest] = people.keys();
      if (people.size > NAMES_MAX && oldest !== undefined) forget(oldest);
    },
    find: (id) => people.get(id)?.name,
    findByUsername: (username) => idByUsername.get(username.toLowerCase()),
  };
}
