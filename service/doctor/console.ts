import { isLoopback } from '../../core/config/readers.ts';
import { fine, looking, note, type Finding } from './finding.ts';
import type { World } from './world.ts';

const SUBJECT = 'console';
const INVITE = 'npm run operator -- admin invite <name> owner, and open its link';

/** The configuration has been refused already where ADMIN_URL is neither https nor localhost. It says who can come in. */
export async function checkConsole(world: World): Promise<Finding[]> {
  const { port, url } = world.config.admin;
  if (port === undefined || !world.roles.includes('api')) return [];
  const found = await Promise.all([
    checkUrl(world, url ?? `http://localhost:${port}`),
    checkReach(world),
    checkOwners(world),
  ]);
  return found.flat();
}

async function checkUrl({ asks }: World, url: string): Promise<readonly Finding[]> {
  if (new URL(url).protocol !== 'https:') return [fine(SUBJECT, `${url}, from this machine or through a tunnel`)];
  const cure =
    'expected while the service is not started; else let the proxy lead that name to ADMIN_PORT, with its Host header';
  const status = await asks.status(`${url}/sign-in`).catch(() => null);
  if (status === 200) return [fine(SUBJECT, url)];
  return [note(SUBJECT, status === null ? `nobody answers at ${url}` : `${url} answers ${status}`, cure)];
}

/** Asked by the name that the world has for this service. On this machine a firewall before it is not seen. */
async function checkReach({ config, asks }: World): Promise<readonly Finding[]> {
  const { host, baseUrl } = config.http;
  const { port } = config.admin;
  if (isLoopback(host) || baseUrl === undefined) return [];
  const name = new URL(baseUrl).hostname;
  const status = await asks.status(`http://${name}:${port}/sign-in`).catch(() => null);
  if (status === null) return [];
  const cure =
    'keep that port from strangers, by a firewall, the network of the containers or HOST=127.0.0.1: only the proxy of ADMIN_URL has to reach it';
  return [note(SUBJECT, `port ${port} answers at ${name} without TLS`, cure)];
}

function checkOwners({ asks }: World): Promise<readonly Finding[]> {
  return looking(SUBJECT, 'check DATABASE_URL and that the server answers this computer', async () => {
    const owners = await asks.owners();
    if (owners === null) return note(SUBJECT, 'nobody can sign in before the first start', `after it: ${INVITE}`);
    if (owners === 0) return note(SUBJECT, 'no owner has a passkey, so nobody can let others in there', INVITE);
    return [];
  });
}
