/**
 * What is rare may be missing in a random run, and then the rules about it were not tested. Runs on until nothing is
 * missing; the limit is for a rule, or a walk, that has changed so that it can never come.
 */
export async function runUntilSeen(
  roundsMax: number,
  run: (round: number) => Promise<void>,
  findMissing: () => readonly string[],
): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    await run(round);
    if (findMissing().length === 0) return;
  }
  throw new Error(`${roundsMax} rounds have never seen: ${findMissing().join(', ')}`);
}
