import { findLanguage } from '../../core/languages.ts';
import type { Paragraph } from '../../core/view.ts';
import type { GoingBackFacts } from '../going-back/en.ts';
import { GOING_BACK } from '../going-back/languages.ts';

/** `claimUntilMs`: the moment at which it goes back. */
type Facts = Pick<GoingBackFacts, 'to'> & { if?: GoingBackFacts['if']; claimUntilMs: number | null };

/** Appends the day on which it goes back otherwise. A chat does not know its reader's zone, so the day is in UTC. */
export function withGoingBack(
  first: Paragraph,
  { if: start = 'nobody_collects', to, claimUntilMs }: Facts,
  language: string | null,
): Paragraph {
  if (claimUntilMs === null) return first;
  const { sentence, day, between } = GOING_BACK[findLanguage(language) ?? 'en'];
  const text = sentence({ if: start, to, on: day(new Date(claimUntilMs)) });
  return first.length === 0 ? [{ text }] : [...first, { text: `${between}${text}` }];
}
