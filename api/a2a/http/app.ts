import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { CATALOG_ROWS } from '../../../core/catalog/operations.ts';
import type { NamedRow } from '../../../core/catalog/row.ts';
import { AppError } from '../../../core/errors.ts';
import type { StreamPlaces } from '../../../queue/stream-places.ts';
import { createEventStreams } from '../../environment/event-stream.ts';
import { allowAnyOrigin } from '../../http/cors.ts';
import type { ApiDependencies } from '../../environment/dependencies.ts';
import { answerError } from '../../payments/answers.ts';
import type { ApiEnv } from '../../http/env.ts';
import { nameRequests } from '../../environment/request-id.ts';
import { createAnswerer } from './answer.ts';
import { toAgentCard } from './card.ts';
import { EXTENSION_HEADERS } from '../extensions.ts';
import { createSkills } from '../skills.ts';
import { A2A_PATH } from '../terms.ts';

/** The contract's two; a client that was given the address of the calls looks at the last. */
const CARD_PATHS = [
  '/a2a/.well-known/agent-card',
  '/.well-known/agent-card.json',
  '/a2a/.well-known/agent-card.json',
] as const;

const HEADERS = [...EXTENSION_HEADERS, 'A2A-Version'].join(', ');

/** The interface for agents (A2A 1.0 and 0.3, and calls by the name of a skill). `rows` are the catalog. */
export function createA2aApp(
  dependencies: ApiDependencies,
  rows: readonly NamedRow[] = CATALOG_ROWS,
  places?: StreamPlaces,
): Hono<ApiEnv> {
  const skills = createSkills(dependencies, rows);
  const card = JSON.stringify(
    toAgentCard(
      dependencies,
      [...skills.values()].filter(({ isForBot }) => !isForBot),
    ),
  );
  const answer = createAnswerer(dependencies, skills, createEventStreams(dependencies, places));

  const app = new Hono<ApiEnv>();
  for (const path of [A2A_PATH, ...CARD_PATHS]) app.use(path, nameRequests(dependencies), allowAgentHeaders());
  for (const path of CARD_PATHS) {
    app.use(path, allowAnyOrigin('GET, HEAD, OPTIONS'));
    app.get(path, (c) => {
      c.header('Cache-Control', 'public, max-age=300');
      return c.body(card, 200, { 'Content-Type': 'application/json' });
    });
    app.all(path, (c) => refuseMethod(c, 'GET', 'GET, HEAD, OPTIONS'));
  }
  app.use(A2A_PATH, allowAnyOrigin('GET, POST, OPTIONS'));
  app.post(A2A_PATH, (c) => answer(c));
  app.all(A2A_PATH, (c) => refuseMethod(c, 'POST', 'POST, OPTIONS'));
  return app;
}

/** Beside what every client of ours may send and read, the headers of this protocol. */
function allowAgentHeaders() {
  return createMiddleware<ApiEnv>(async (c, next) => {
    await next();
    c.res.headers.append('Access-Control-Expose-Headers', HEADERS);
    if (c.req.method === 'OPTIONS') c.res.headers.append('Access-Control-Allow-Headers', HEADERS);
  });
}

function refuseMethod(c: Context<ApiEnv>, taken: string, allowed: string): Response {
  c.header('Allow', allowed);
  return answerError(c, new AppError('method_not_allowed', { detail: `This address takes ${taken}.` }));
}
