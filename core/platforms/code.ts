import { parsePlainName } from './parsed-name.ts';
import type { PlatformRow } from './row.ts';

export const code = {
  title: 'GitHub',
  receiver: 'a GitHub login (1 to 39 letters or digits, single hyphens between them)',
  example: 'octocat',
  aliases: ['github', 'gh'],
  prefix: 'github',
  http: 'public',
  mcp: true,
  a2a: true,
  chat: true,
  nameIsIdentity: false,
  parse: (text) => parsePlainName(text, /^[A-Za-z0-9-]$/, /^(?=.{1,39}$)[a-z0-9]+(?:-[a-z0-9]+)*$/),
  profiles: {
    hosts: ['github.com'],
    under: '',
    deeper: 'owner',
    // prettier-ignore
    notNames: [
      'about', 'apps', 'collections', 'contact', 'dashboard', 'enterprise', 'enterprises', 'events', 'explore', 'features',
      'issues', 'join', 'login', 'logout', 'marketplace', 'new', 'notifications', 'organizations', 'orgs', 'pricing',
      'pulls', 'readme', 'search', 'security', 'sessions', 'settings', 'signup', 'site', 'sponsors', 'stars', 'team',
      'topics', 'trending', 'users', 'watching',
    ],
  },
  peopleAreCalled: 'name on title',
  proof: { method: 'oauth', variables: 'GITHUB' },
  toldBy: 'payer',
  addressLapses: false,
  keepsWallets: true,
} as const satisfies PlatformRow;
