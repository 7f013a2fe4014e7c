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
};

/** The skills of the catalog for what is offered, in its order. */
export function skillsOf(offered: readonly Platform[], rows: readonly NamedRow[] = CATALOG_ROWS): Skill[] {
  const platforms = PLATFORM_NAMES.filter((name) => offered.includes(name) && platformRow(name).a2a);
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
    }));
  });
}
