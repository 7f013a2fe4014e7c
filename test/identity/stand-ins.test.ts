/** The stand-ins stand for strict providers: what the real ones refuse must not pass here. */
import { expect, onTestFinished, test } from 'vitest';
import {
  startGithubStandIn,
  startHubStandIn,
  startInstagramStandIn,
  startXStandIn,
  type StandIn,
} from './stand-ins.ts';

const bearer = { authorization: 'Bearer app' };
const basic = { authorization: 'Basic dXNlcjphcHA=' };

const startX = () => startXStandIn({ appToken: 'app', find: (username) => ({ id: '1', username }) });
const startGithub = () =>
  startGithubStandIn({
    authorizations: ['Bearer app'],
    find: (login) => (login ? { id: 1, login, type: 'User' } : null),
  });
const startInstagram = () =>
  startInstagramStandIn({ appToken: 'app', accountId: '17', find: (username) => ({ id: '1', username }) });
const startHub = () => startHubStandIn({ authorization: basic.authorization, find: (name) => ({ fid: 1, name }) });

type Start = () => Promise<StandIn>;

test.each<[string, Start, string, Record<string, string>, number]>([
  ['X', startX, '/2/users/by/username/alice', bearer, 200],
  ['X without a token', startX, '/2/users/by/username/alice', {}, 401],
  ['X with another token', startX, '/2/users/by/username/alice', { authorization: 'Bearer other' }, 401],
  ['X at another path', startX, '/1.1/users/show.json', bearer, 404],
  ['X with a name that cannot be', startX, '/2/users/by/username/alice.smith', bearer, 400],
  ['GitHub', startGithub, '/users/alice', bearer, 200],
  ['GitHub without a token', startGithub, '/users/alice', {}, 200],
  ['GitHub with another token', startGithub, '/users/alice', { authorization: 'Bearer other' }, 401],
  ['GitHub at another path', startGithub, '/orgs/alice', bearer, 404],
  ['Instagram', startInstagram, '/v25.0/17?fields=business_discovery.username(alice)%7Bid,username%7D', bearer, 200],
  [
    'Instagram without a token',
    startInstagram,
    '/v25.0/17?fields=business_discovery.username(a)%7Bid,username%7D',
    {},
    401,
  ],
  ['Instagram as another account', startInstagram, '/v25.0/18?fields=id', bearer, 404],
  ['Instagram with other fields', startInstagram, '/v25.0/17?fields=id', bearer, 400],
  ['the hub', startHub, '/v1/userNameProofByName?name=alice', basic, 200],
  ['the hub without credentials', startHub, '/v1/userNameProofByName?name=alice', {}, 401],
  ['the hub at another path', startHub, '/v1/castsByFid?fid=1', basic, 404],
])('%s', async (_case, start, path, headers, status) => {
  const standIn = await start();
  onTestFinished(() => standIn.close());
  expect((await fetch(`${standIn.url}${path}`, { headers })).status).toBe(status);
  expect((await fetch(`${standIn.url}${path}`, { method: 'POST', headers })).status).toBe(405);
  expect(standIn.requests).toEqual([path, path]);
});
