import type { PlatformOffer } from '../../core/bodies/order.ts';
import type { NamedRow } from '../../core/catalog/row.ts';
import { skillsOf, type Skill } from '../../core/catalog/skills.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { accept, type Accepted } from '../payments/accept.ts';
import type { PaidRequest } from '../payments/request.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { assertOffered } from '../payments/lines.ts';
import type { AgentCaller } from './caller.ts';
import { Refusal } from './refusal.ts';

/** What is on offer, by id. */
export type Skills = ReadonlyMap<string, Skill>;

export function createSkills({ identity }: Pick<ApiDependencies, 'identity'>, rows: readonly NamedRow[]): Skills {
  return new Map(skillsOf(identity.platforms, rows).map((skill) => [skill.id, skill]));
}

/**
 * Finds a skill by its id, whose last part may be an alias of the platform. Skills for the bot are found for the bot
 * only.
 */
export function findSkill(skills: Skills, id: string, { isBot }: Pick<AgentCaller, 'isBot'>): Skill | null {
  const end = id.lastIndexOf('.') + 1;
  const platform = findPlatform(id.slice(end));
  const skill = skills.get(platform === null ? id : id.slice(0, end) + platform) ?? null;
  return skill?.isForBot && !isBot ? null : skill;
}

export function requireSkill(skills: Skills, id: string, caller: Pick<AgentCaller, 'isBot'>): Skill {
  const skill = findSkill(skills, id, caller);
  if (skill === null) throw new Refusal('unknown_skill', { field: 'skill' });
  return skill;
}

/** A call of a skill as the accept step takes it. Throws AppError naming what is wrong with the params. */
export function toPaidRequest(
  dependencies: Pick<ApiDependencies, 'identity'>,
  { paid, platform }: Skill,
  params: Record<string, unknown>,
  caller: AgentCaller,
): PaidRequest {
  const offer: PlatformOffer = {
    isBot: caller.isBot,
    check: (wanted, field) => assertOffered(dependencies, wanted, field),
  };
  return {
    ...paid.read(params, offer, platform),
    operation: `a2a.${paid.kind}`,
    pathParameters: { platform },
    body: params,
    agentKnown: caller.isBot,
    proofHeader: null,
    asker: caller.asker,
    idempotencyKey: null,
    endpointId: caller.endpointId,
    orderId: null,
    connection: caller.connection,
  };
}

/** What the call costs. Reserves nothing and asks no platform. */
export async function priceOf(
  dependencies: ApiDependencies,
  request: PaidRequest,
): Promise<Extract<Accepted, { kind: 'challenge' }>> {
  const accepted = await accept(dependencies, { ...request, proofHeader: null });
  if (accepted.kind !== 'challenge') throw new Error(`a request without a proof was answered as ${accepted.kind}`);
  return accepted;
}
