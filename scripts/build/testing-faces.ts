/**
 * What is imported from outside as `convo-fn/testing`, where `dist/testing-main.js` does the work. It asks Node itself for the loader: Jest
 * would load another copy for each test file, in the realm of its tests.
 */
export function testingFaces(names: readonly string[]): Readonly<Record<string, string>> {
  const list = names.join(', ');
  return {
    'testing.js': `${loadByNode('import.meta.url')}export const { ${list} } = load('./testing.cjs');\n`,
    'testing.cjs': `${loadByNode('__filename')}load('../bin/launch.js').refuseOthers();
const { ${list} } = load('./testing-main.js');
module.exports = { ${list} };
`,
  };
}

function loadByNode(place: string): string {
  return `const { getBuiltinModule } = process.getBuiltinModule('node:vm').runInThisContext('process');
const load = getBuiltinModule('node:module').createRequire(${place});
`;
}
