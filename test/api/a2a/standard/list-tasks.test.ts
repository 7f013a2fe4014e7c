/** What a context lists, and to whom it lists nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NOW_MS, PARAMS, rpc, say, SKILL, startWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.clock.nowMs = NOW_MS;
});
afterAll(() => world.close());

type Json = Record<string, unknown>;
type Task = { id: string; contextId: string; status: { state: string }; artifacts?: unknown[] };
type Listed = { tasks: Task[]; nextPageToken: string; pageSize: number; totalSize: number };

async function open(contextId?: string, amount = 1.5): Promise<Task> {
  const parts = [{ data: { skill: SKILL, params: { ...PARAMS, amount } } }];
  const named = contextId === undefined ? {} : { contextId };
  const { result } = await say(
    world,
    rpc('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts, ...named } }),
  );
  world.clock.nowMs += 1_000;
  return (result as Json)['task'] as Task;
}

async function list(params: Json): Promise<Listed> {
  const { result, text } = await say(world, rpc('ListTasks', params));
  if (result === undefined) throw new Error(`expected a list, found ${text}`);
  return { tasks: [], nextPageToken: '', ...result } as unknown as Listed;
}

const idsOf = ({ tasks }: Listed) => tasks.map(({ id }) => id);

describe('a context', () => {
  test('lists its own tasks, newest first, and no others', async () => {
    const first = await open();
    const { contextId } = first;
    const second = await open(contextId, 2);
    await open();
    const listed = await list({ contextId });
    expect(idsOf(listed)).toEqual([second.id, first.id]);
    expect(listed).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 2 });
    expect(listed.tasks[0]?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  test('is a UUID of the caller as well', async () => {
    const contextId = randomUUID();
    const task = await open(contextId);
    expect(idsOf(await list({ contextId }))).toEqual([task.id]);
  });

  test.each([
    'mine',
    '',
    'a-context-that-anyone-can-guess',
    'twenty-two-characters-',
    '00000000-0000-1000-8000-000000000001',
  ])('that can be guessed (%j) lists nothing', async (contextId) => {
    await open(contextId === '' ? undefined : contextId);
    expect(await list(contextId === '' ? {} : { contextId })).toMatchObject({ tasks: [], totalSize: 0 });
  });

  test('is read page by page, each task once', async () => {
    const { id, contextId } = await open();
    const all = [id];
    for (let number = 1; number < 5; number += 1) all.unshift((await open(contextId)).id);
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page: Listed = await list({ contextId, pageSize: 2, ...(pageToken === '' ? {} : { pageToken }) });
      expect(page.totalSize).toBe(5);
      seen.push(...idsOf(page));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(all);
  });

  test('is narrowed by state and by time', async () => {
    const old = await open();
    const { contextId } = old;
    const young = await open(contextId);
    await say(world, rpc('CancelTask', { id: old.id }));
    expect(idsOf(await list({ contextId, status: 'TASK_STATE_CANCELED' }))).toEqual([old.id]);
    expect(idsOf(await list({ contextId, status: 'TASK_STATE_INPUT_REQUIRED' }))).toEqual([young.id]);
    const after = new Date(world.clock.nowMs).toISOString();
    expect(idsOf(await list({ contextId, statusTimestampAfter: after }))).toEqual([old.id]);
  });
});

test.each<[string, Json]>([
  ['a page of none', { pageSize: 0 }],
  ['a page of too many', { pageSize: 101 }],
  ['less than no history', { historyLength: -1 }],
  ['a token that nobody gave', { pageToken: 'what' }],
  ['a state that is none', { status: 'TASK_STATE_DREAMING' }],
  ['a time that is none', { statusTimestampAfter: 'yesterday' }],
])('%s is refused', async (_name, params) => {
  const { error } = await say(world, rpc('ListTasks', params));
  expect(error).toMatchObject({ code: -32602 });
});
