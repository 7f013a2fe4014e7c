/** Before each test file of a compiled run: stacks name the lines of the sources. */
process.setSourceMapsEnabled(true);
