import { PLATFORM_NAMES, platformRow, type Platform } from '../platforms.ts';
import { CATALOG_ROWS } from './operations.ts';
import type { NamedRow, Paid } from './row.ts';
import { namedFor } from './tools.ts';

/** Neutral prefix of every skill (contract, section 7). */
const PREFIX = 'pennypost.';

/** A skill as the agent card lists it, and what stands behind it. */
export type Skill = {
  /** Also the method of its skill-named call. */
  id: string;
  title: string;
  description: string;
  tags: readonly string[];
  row: NamedRow;
  paid: Paid;
  platform: Platform;
  /** On no card, and called by our own bot only: it pays the people of its chats like that (contract, section 1). */
  isForBot: boolean;
};

/** The skills of the catalog for what is offered, in its order, and those of the bot's own platforms. */
export function skillsOf(offered: readonly Platform[], rows: readonly NamedRow[] = CATALOG_ROWS): Skill[] {
  const platforms = PLATFORM_NAMES.filter((name) => offered.includes(name));
  return rows.flatMap((row) => {
    const { skill, paid } = row;
    if (skill === null || paid === null) return [];
    return platforms.map((platform) => ({
      id: PREFIX + namedFor(skill.name, platform),
      title: namedFor(skill.title, platform),
      description: namedFor(skill.description, platform),
      tags: skill.tags,
      row,
      paid,
      platform,
      isForBot: !platformRow(platform).a2a,
    }));
  });
}
