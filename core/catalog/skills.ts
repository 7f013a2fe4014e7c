import { PLATFORM_NAMES, platformRow, type Platform } from '../platforms/platforms.ts';
import { CATALOG_ROWS } from './operations.ts';
import type { NamedRow, PaidByBody } from './row.ts';
import { namedFor } from './tools.ts';

/** Neutral prefix of every skill. */
const PREFIX = 'pennypost.';
const CROSS_BATCH = `${PREFIX}batch-pay`;

/** A skill as the agent card lists it, and the operation behind it. */
export type Skill = {
  /** Also the method of its skill-named call. */
  id: string;
  title: string;
  description: string;
  tags: readonly string[];
  row: NamedRow;
  paid: PaidByBody;
  platform: Platform;
  /** Listed on no card; only our bot calls it, to pay the people of its chats. */
  isForBot: boolean;
};

/** The skills of the offered platforms in the catalog's order, and those of the bot's own platforms. */
export function skillsOf(offered: readonly Platform[], rows: readonly NamedRow[] = CATALOG_ROWS): Skill[] {
  const platforms = PLATFORM_NAMES.filter((name) => offered.includes(name));
  const named = rows.flatMap((row) => {
    const { skill, paid } = row;
    if (skill === null || paid === null || paid.kind === 'confirm-distribution') return [];
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
  return [...named, ...crossSkill(rows)];
}

/** One order for recipients of several platforms. Pay links of our bot use it; it is on no card. */
function crossSkill(rows: readonly NamedRow[]): Skill[] {
  // Each receiver names its own platform; this one is the same for all such tasks.
  const [platform] = PLATFORM_NAMES;
  return rows.flatMap((row) => {
    const { paid, summary: title, description } = row;
    if (paid?.kind !== 'cross-batch-pay') return [];
    return [{ id: CROSS_BATCH, title, description, tags: [], row, paid, platform, isForBot: true }];
  });
}
