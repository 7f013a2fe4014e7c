/** Where a stranger would send us, if they could: every way to write an address that is not the internet's. */

/** Where a guard with a hole would arrive: a canary listens on this port of every loopback address. */
export const CANARY = '{canary}';

/** Both families, where the machine has both. */
export const EVERYWHERE = null;

/** What the names among the targets stand for. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1'],
  'loopback.example': ['127.0.0.1'],
  'loopback-six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'private.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'unspecified.example': ['0.0.0.0'],
  'unique-local.example': ['fd00::1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mixed-families.example': ['2606:4700:4700::1111', '127.0.0.1'],
};

export const TRICKY_TARGETS = [
  `http://127.0.0.1:${CANARY}/`,
  `https://127.0.0.1:${CANARY}/`,
  `http://127.1:${CANARY}/`,
  `http://127.255.255.254:${CANARY}/`,
  `http://2130706433:${CANARY}/`,
  `http://0x7f000001:${CANARY}/`,
  `http://0x7f.0.0.0x1:${CANARY}/`,
  `http://0177.0.0.1:${CANARY}/`,
  `http://017700000001:${CANARY}/`,
  `http://127.0.0.1.:${CANARY}/`,
  `http://１２７.０.０.１:${CANARY}/`,
  `http://127。0。0。1:${CANARY}/`,
  `http://0.0.0.0:${CANARY}/`,
  `http://0:${CANARY}/`,
  `http://[::1]:${CANARY}/`,
  `https://[::1]:${CANARY}/`,
  `http://[0:0:0:0:0:0:0:1]:${CANARY}/`,
  `http://[::]:${CANARY}/`,
  `http://[::ffff:127.0.0.1]:${CANARY}/`,
  `http://[::ffff:7f00:1]:${CANARY}/`,
  `http://[::127.0.0.1]:${CANARY}/`,
  `http://[64:ff9b::127.0.0.1]:${CANARY}/`,
  `http://[2002:7f00:1::]:${CANARY}/`,
  'http://10.0.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[fc00::1]/',
  'http://[fe80::1]/',
  'http://[ff02::1]/',
  ...Object.keys(NAMES).map((name) => `http://${name}:${CANARY}/`),
];
