/** A world for the tables of what is refused: names for the chats and messages that they need. */
import { Api } from 'grammy';
import { expect } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../start.ts';

export type Names = Record<'alice' | 'stranger' | 'blocked' | 'met' | 'muted' | 'left' | 'mine' | 'hers', number>;
export type Answer = { ok: boolean; error_code?: number; description?: string; result?: unknown };
/** What is refused, the method, its parameters, the code, and a part of the description. */
export type Violation = [string, string, (named: Names) => Record<string, unknown>, number, string];

export type StrictWorld = {
  telegram: FakeTelegram;
  names: Names;
  call: (method: string, parameters: Record<string, unknown>) => Promise<Answer>;
};

export async function createStrictWorld(): Promise<StrictWorld> {
  const telegram = await startFakeTelegram({ limits: null });
  const names = await createNames(telegram);

  /** Past grammY, whose types would not let most of this through. */
  async function call(method: string, parameters: Record<string, unknown>): Promise<Answer> {
    const response = await fetch(`${telegram.url}/bot${telegram.token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
    });
    const answer = (await response.json()) as Answer;
    expect(response.status).toBe(answer.ok ? 200 : answer.error_code);
    return answer;
  }

  return { telegram, names, call };
}

async function createNames(telegram: FakeTelegram): Promise<Names> {
  const alice = telegram.createUser();
  const blocked = telegram.createUser({ started: true });
  telegram.block(blocked);
  const met = telegram.createUser();
  const group = telegram.createGroup({ members: [met], membersMayWrite: false });
  const hers = telegram.start(alice).message.message_id;
  const mine = await new Api(telegram.token, { apiRoot: telegram.url }).sendMessage(alice.id, 'mine');
  return {
    alice: alice.id,
    stranger: telegram.createUser().id,
    blocked: blocked.id,
    met: met.id,
    muted: group.id,
    left: telegram.createGroup({ bot: 'absent' }).id,
    mine: mine.message_id,
    hers,
  };
}

export const button = (data: string) => ({ text: 'x', callback_data: data });

export const rows = (count: number, perRow: number) =>
  Array.from({ length: count }, () => Array.from({ length: perRow }, () => button('d')));
