import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commitOf } from '../../src/deploy/git.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// `commitOf` starts git with this process's environment: whoever runs the tests has a config of their own.
process.env['GIT_CONFIG_GLOBAL'] = devNull;
process.env['GIT_CONFIG_NOSYSTEM'] = '1';

const skip = isThere() ? false : 'no git on this machine';

function isThere(): boolean {
  try {
    execFileSync('git', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** A repository with one commit. */
function aRepository() {
  const folder = temporaryFolder('fn-git');
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe', encoding: 'utf8' });
  git('init', '-q');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@shop.example');
  writeFileSync(join(folder, 'a.js'), '1');
  writeFileSync(join(folder, '.gitattributes'), '*.js filter=f -text\n');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  // A command that git runs by a shell, also on Windows.
  const mark = join(folder, '.git', 'was-run');
  return { folder, git, mark, command: `touch '${mark.replaceAll('\\', '/')}'; cat` };
}

const touch = (folder: string) => writeFileSync(join(folder, 'a.js'), '2');

test('changes that no commit has are seen', { skip }, async () => {
  const { folder, git } = aRepository();
  const clean = await commitOf(folder);
  assert.equal(clean?.dirty, false);
  assert.equal(clean.commit.sha, git('rev-parse', 'HEAD').trim());
  touch(folder);
  assert.equal((await commitOf(folder))?.dirty, true);
});

for (const name of ['f', 'f.g', 'f=g']) {
  test(`a filter ${name} that the repository names is not run`, { skip }, async () => {
    const { folder, git, mark, command } = aRepository();
    git('config', `filter.${name}.clean`, command);
    git('config', `filter.${name}.required`, 'true');
    writeFileSync(join(folder, '.gitattributes'), `*.js filter=${name} -text\n`);
    touch(folder);
    const found = await commitOf(folder);
    assert.ok(!existsSync(mark));
    assert.ok(found);
    // How to switch off one with an equals sign git has no word for.
    assert.equal(found.dirty, name !== 'f=g');
    git('status', '--porcelain');
    assert.ok(existsSync(mark), 'git by itself runs it');
  });
}

test('what a repository lacks is not fetched from where it says', { skip }, async () => {
  const { folder, git, mark, command } = aRepository();
  const tree = git('rev-parse', 'HEAD^{tree}').trim();
  appendFileSync(
    join(folder, '.git', 'config'),
    '[remote "origin"]\n\turl = ssh://shop.example/x\n\tpromisor = true\n\tpartialclonefilter = tree:0\n',
  );
  git('config', 'extensions.partialClone', 'origin');
  git('config', 'core.repositoryFormatVersion', '1');
  git('config', 'core.sshCommand', command);
  const objects = join(folder, '.git', 'objects', tree.slice(0, 2));
  rmSync(join(objects, readdirSync(objects).find((name) => tree.endsWith(name)) ?? ''), { force: true });
  assert.equal((await commitOf(folder))?.dirty, false);
  assert.ok(!existsSync(mark));
  assert.throws(() => git('status'));
  assert.ok(existsSync(mark), 'git by itself runs it');
});
