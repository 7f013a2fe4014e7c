/**
 * A promise of the contract, in our own words, and the tests that prove it: file under `test/`, then the title of a
 * test, of a group, or of a row in a table of cases.
 */
export type CoverageRow = {
  says: string;
  tests: readonly (readonly [file: string, title: string])[];
};
