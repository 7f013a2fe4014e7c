/**
 * Before each test file. Node's own fetch sends through a dispatcher that the first of two claims: itself when it is first
 * used, or the undici of our dependencies when that is loaded. Tests share processes, so without this it would depend on
 * their order through which one a stock client sends, and Solana's fails through the other.
 */
await fetch('data:,');

// Stacks of compiled tests name the lines of the sources.
if (process.env['PENNYPOST_COMPILED_TESTS'] !== undefined) process.setSourceMapsEnabled(true);
