/** The result of one check. `wrong` is red and has a cure; `note` is for the operator to judge and stops nothing. */
export type Finding =
  | { subject: string; state: 'fine'; text: string }
  | { subject: string; state: 'wrong' | 'note'; text: string; cure: string };

export const fine = (subject: string, text: string): Finding => ({ subject, state: 'fine', text });

export const wrong = (subject: string, text: string, cure: string): Finding => ({
  subject,
  state: 'wrong',
  text,
  cure,
});

export const note = (subject: string, text: string, cure: string): Finding => ({ subject, state: 'note', text, cure });

export const isSound = (findings: readonly Finding[]): boolean => findings.every(({ state }) => state !== 'wrong');

/** Asks, and reports a missing answer as a finding: what cannot be checked is not fine. */
export async function looking(
  subject: string,
  cure: string,
  look: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [wrong(subject, `no usable answer: ${reasonOf(error)}`, cure)];
  }
}

const REASON_MAX = 160;

/** In one line, and without addresses, which may hold a password. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return text
    .replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, 'its address')
    .replace(/\s+/g, ' ')
    .slice(0, REASON_MAX);
}

const SIGNS = { fine: 'ok   ', note: 'note ', wrong: 'WRONG' } as const satisfies Record<Finding['state'], string>;

/** A line for each finding, and its cure below where it is not fine. */
export function findingLines(findings: readonly Finding[]): string[] {
  const width = Math.max(0, ...findings.map(({ subject }) => subject.length));
  return findings.flatMap((finding) => [
    `${SIGNS[finding.state]}  ${finding.subject.padEnd(width)}  ${finding.text}`,
    ...(finding.state === 'fine' ? [] : [`       ${' '.repeat(width)}  -> ${finding.cure}`]),
  ]);
}
