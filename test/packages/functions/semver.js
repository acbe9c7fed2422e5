import semver from 'semver';
export default () => [
  semver.satisfies('1.2.3', '^1.1 || >3'),
  semver.inc('1.2.3-beta.1', 'prerelease'),
  semver.sort(['2.0.0', '1.0.0-a', '1.0.0']),
  semver.coerce('v3.4').version,
  semver.valid('x'),
  semver.minVersion('>=1.2').version,
  semver.subset('^1.2', '^1'),
];
