/** A published client that is not ours. `driver`: the file in `test/clients/` that uses it as its documentation says. */
export type PublishedClient = {
  package: string;
  driver: string;
  folder: 'common' | 'faremeter';
  speaks: string;
  networks: readonly ('base' | 'solana')[];
  /** Above its default cap, where it has one that can be raised. */
  amount: number;
  capNote: string;
};

const BOTH = ['base', 'solana'] as const;

/**
 * Pinned: what was found to pay is what is tried again. By the folder that they are installed into: those of one author need
 * another generation of Solana's library than all others.
 */
export const PACKAGES: Readonly<Record<PublishedClient['folder'], Readonly<Record<string, string>>>> = {
  common: {
    '@a2a-js/sdk': '1.3.0',
    '@modelcontextprotocol/client': '2.4.0',
    '@payai/x402-solana': '0.1.0',
    '@solana-program/token': '0.9.0',
    '@solana/kit': '5.5.1',
    '@solana/spl-token': '0.4.14',
    '@solana/web3.js': '1.99.0',
    '@x402/axios': '2.11.0',
    '@x402/core': '2.27.0',
    '@x402/evm': '2.27.0',
    '@x402/fetch': '2.27.0',
    '@x402/svm': '2.27.0',
    'a2a-v03': 'npm:@a2a-js/sdk@0.3.14',
    axios: '1.21.1',
    'mcp-v1': 'npm:@modelcontextprotocol/sdk@1.32.2',
    mppx: '0.11.0',
    viem: '2.57.1',
    'x402-axios': '0.7.2',
    'x402-fetch': '1.2.0',
    'x402-solana': '2.0.4',
  },
  faremeter: {
    '@faremeter/fetch': '0.22.0',
    '@faremeter/payment-evm': '0.22.0',
    '@faremeter/payment-solana': '0.22.0',
    '@faremeter/wallet-evm': '0.22.0',
    '@faremeter/wallet-solana': '0.22.0',
    '@solana/kit': '6.7.0',
    viem: '2.57.1',
  },
};

export const CLIENTS: readonly PublishedClient[] = [
  {
    package: '@x402/fetch',
    driver: 'x402-fetch-v2',
    folder: 'common',
    speaks: 'x402 v2',
    networks: BOTH,
    amount: 1.5,
    capNote: 'default cap 1',
  },
  {
    package: '@x402/axios',
    driver: 'x402-axios-v2',
    folder: 'common',
    speaks: 'x402 v2',
    networks: BOTH,
    amount: 1.5,
    capNote: '',
  },
  {
    package: 'x402-fetch',
    driver: 'x402-fetch-v1',
    folder: 'common',
    speaks: 'x402 v1',
    networks: BOTH,
    amount: 0.5,
    capNote: 'default cap 0.10',
  },
  {
    package: 'x402-axios',
    driver: 'x402-axios-v1',
    folder: 'common',
    speaks: 'x402 v1',
    networks: BOTH,
    amount: 0.5,
    capNote: '',
  },
  { package: 'mppx', driver: 'mppx', folder: 'common', speaks: 'MPP', networks: ['base'], amount: 1.5, capNote: '' },
  {
    package: 'mppx',
    driver: 'mppx-mcp',
    folder: 'common',
    speaks: 'MPP over MCP',
    networks: ['base'],
    amount: 1.5,
    capNote: '',
  },
  {
    package: '@faremeter/fetch',
    driver: 'faremeter',
    folder: 'faremeter',
    speaks: 'x402',
    networks: BOTH,
    amount: 1.5,
    capNote: '',
  },
  {
    package: 'x402-solana',
    driver: 'x402-solana',
    folder: 'common',
    speaks: 'x402 v2',
    networks: ['solana'],
    amount: 1.5,
    capNote: '',
  },
  {
    package: '@payai/x402-solana',
    driver: 'payai',
    folder: 'common',
    speaks: 'x402 v1',
    networks: ['solana'],
    amount: 1.5,
    capNote: '',
  },
  {
    package: '@modelcontextprotocol/client',
    driver: 'mcp-v2',
    folder: 'common',
    speaks: 'MCP',
    networks: BOTH,
    amount: 1.5,
    capNote: '',
  },
  { package: 'mcp-v1', driver: 'mcp-v1', folder: 'common', speaks: 'MCP', networks: BOTH, amount: 1.5, capNote: '' },
  {
    package: '@a2a-js/sdk',
    driver: 'a2a-v1',
    folder: 'common',
    speaks: 'A2A 1.0',
    networks: BOTH,
    amount: 1.5,
    capNote: '',
  },
  {
    package: 'a2a-v03',
    driver: 'a2a-v03',
    folder: 'common',
    speaks: 'A2A 0.3',
    networks: BOTH,
    amount: 1.5,
    capNote: '',
  },
];
