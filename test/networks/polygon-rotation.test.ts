/** Polygon has no safe block and late finality: a former address is swept, and what it funds is paid, all the same. */
import { describe } from 'vitest';
import { rotatingCases } from './cases/rotating.ts';
import { openEvm, type EvmService, type EvmWorld } from './evm-world.ts';
import { createSuite } from './suite.ts';

describe('on Polygon', () => {
  rotatingCases(createSuite<EvmService, EvmWorld>('polygon', () => openEvm('polygon')));
});
