import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BuildOptions, Message, Metafile, OnResolveArgs, OnResolveResult, PluginBuild } from 'esbuild';
import { filesOf } from '../compiler/metafile.ts';
import { type Stamp, stampOf } from '../freshness/stamps.ts';
import { alternativeTo } from '../problems/alternatives.ts';
import { amdFiles, isAmd } from './amd.ts';
import { computedPaths, guessedInVain } from './computed-paths.ts';
import { manifestOf } from './manifest.ts';
import { missingPackages, triedInVain } from './missing-packages.ts';
import { importKey, isReachable, type OtherForm, otherFormOf, ownKey, type Question, type Use } from './node-form.ts';
import { ownFiles, readsOwnFiles } from './own-files.ts';
import { packageFolder } from './package-folder.ts';
import { forgottenStars, keepStars } from './star-exports.ts';

/**
 * Corrections of the first choices for one function, learned from finished builds: packages whose `workerd` build needs sockets, but whose
 * browser build does not; packages whose browser build needs a page, is empty, or lacks an imported name, but whose Node build needs neither
 * sockets nor processes; files with `export *` that were left out; files of a package that it reads; and optional packages that are required. Judging every import in advance
 * would slow down every build.
 */
export class SecondChoices {
  readonly #forms = new Map<string, OtherForm>();
  /** Packages that keep their browser build, with stamps of their package.json. */
  readonly #kept = new Map<string, Stamp>();
  readonly #absent = new Set<string>();
  /** Those of them that the app's own code tries to import. */
  readonly #tried = new Set<string>();
  /** Files of packages with computed paths into missing folders. */
  readonly #guessing = new Set<string>();
  /** AMD files of packages. */
  readonly #amd = new Set<string>();
  /** Files of packages that read other files of their package. */
  readonly #reading = new Set<string>();
  /** Files with an `export *` that is needed for evaluation. */
  readonly #stars = new Set<string>();
  /** Specifiers of imports of those files. */
  readonly #starred = new Set<string>();
  /** Folders of packages that need a page in any form. */
  #forPages: string[] = [];
  /** Increases when the rules change. */
  version = 0;

  /** Forgets what was learned about packages that have been reinstalled. */
  refresh(): void {
    for (const [folder, { stamp }] of this.#forms) {
      if (stampOf(join(folder, 'package.json')) === stamp) continue;
      this.#forms.delete(folder);
      this.version++;
    }
  }

  /** @returns whether the next build will differ */
  async learnFromErrors(errors: readonly Message[], settingsNow: () => BuildOptions): Promise<boolean> {
    const settings = settingsNow();
    const root = settings.absWorkingDir ?? '';
    const before = this.version;
    for (const { text, location } of errors) {
      if (!location) continue;
      const importer = resolve(root, location.file);
      const missing = /^Could not resolve "([^"]+)"/.exec(text)?.[1];
      if (missing !== undefined && packageFolder(importer) && !this.#absent.has(missing)) {
        this.#absent.add(missing);
        this.version++;
      }
      if (guessedInVain.test(text) && packageFolder(importer) && !this.#guessing.has(importer)) {
        this.#guessing.add(importer);
        this.version++;
      }
      const lacking = /^No matching export in "([^"]+)" for import /.exec(text)?.[1];
      const got = resolve(root, lacking ?? '');
      const folder = lacking && packageFolder(got);
      if (!folder) continue;
      const uses = usesIn(importer, folder, got);
      await this.#try(folder, { as: 'node', uses, bundled: new Set(), settings }, () => true);
    }
    return this.version > before;
  }

  /**
   * @param importers the files that import sockets, and those that import files
   * @param settingsNow makes the build options; called only if needed, because that costs as much as everything else here
   * @returns whether the next build will differ
   */
  async learnFrom(
    metafile: Metafile,
    code: string,
    { sockets, files: readers }: Record<'sockets' | 'files', readonly string[]>,
    settingsNow: () => BuildOptions,
  ): Promise<boolean> {
    this.#forPages = [];
    const mayNeedPage = code.search(needsPage) >= 0;
    const stubs = stubsIn(metafile);
    if (this.#keepStars(metafile, settingsNow) || this.#takeFiles(readers)) return true;
    const known = (by: 'package' | 'app') => (by === 'app' ? this.#tried : this.#absent);
    const tried = triedInVain(metafile).filter(({ path, by }) => !known(by).has(path));
    if (tried.length > 0) {
      for (const { path, by } of tried) {
        this.#absent.add(path);
        known(by).add(path);
      }
      this.version++;
      return true;
    }
    if (sockets.length === 0 && stubs.length === 0 && !mayNeedPage) return false;
    const settings = settingsNow();
    const before = this.version;
    const files = filesOf(metafile, settings.absWorkingDir ?? '');
    const alone = (folder: string) => ({
      uses: usesOf(folder, metafile, files),
      bundled: new Set<string>(),
      settings,
    });
    for (const folder of new Set(sockets.flatMap((file) => packageFolder(file) ?? []))) {
      if (!hasCondition(folder, 'workerd') || !hasCondition(folder, 'browser')) continue;
      await this.#try(folder, { as: 'browser', ...alone(folder) }, (builtins) => builtins.length === 0);
    }
    for (const folder of hollowPackages(stubs, files)) {
      await this.#try(folder, { as: 'node', ...alone(folder) }, onlyBeside);
    }
    if (!mayNeedPage) return this.version > before;
    const packages = bundledPackages(metafile, files);
    const names = new Set([...packages.keys()].map(nameOf));
    for (const [folder, paths] of packages) {
      for (const path of paths) {
        if (this.#amd.has(path) || !isAmd(textOf(path))) continue;
        this.#amd.add(path);
        this.version++;
      }
      const hasForm = hasFormForBrowsers(folder);
      if (!hasForm && alternativeTo(nameOf(folder)) === undefined) continue;
      if (!paths.some((path) => isForPages(textOf(path)))) continue;
      const uses = hasForm ? usesOf(folder, metafile, files) : [];
      await this.#try(folder, { as: 'node', uses, bundled: names, settings }, onlyBeside);
      if (!this.#forms.has(folder)) this.#forPages.push(folder);
    }
    return this.version > before;
  }

  #keepStars(metafile: Metafile, settingsNow: () => BuildOptions): boolean {
    let root: string | undefined;
    const pathOf = (key: string) => {
      root ??= settingsNow().absWorkingDir ?? '';
      return resolve(root, key);
    };
    const keys = forgottenStars(metafile, (key) => textOf(pathOf(key)));
    const learned = keys.filter((key) => !this.#stars.has(pathOf(key)));
    if (learned.length === 0) return false;
    for (const key of learned) this.#stars.add(pathOf(key));
    for (const { imports } of Object.values(metafile.inputs))
      for (const { path, original } of imports) if (original && keys.includes(path)) this.#starred.add(original);
    this.version++;
    return true;
  }

  #takeFiles(readers: readonly string[]): boolean {
    const learned = readers.filter(
      (path) => !this.#reading.has(path) && packageFolder(path) !== undefined && readsOwnFiles(path, textOf(path)),
    );
    if (learned.length === 0) return false;
    for (const path of learned) this.#reading.add(path);
    this.version++;
    return true;
  }

  async #try(
    folder: string,
    question: Omit<Question, 'folder'>,
    isFit: (builtins: readonly string[]) => boolean,
  ): Promise<void> {
    const { uses } = question;
    const stamp = stampOf(join(folder, 'package.json'));
    if (uses.length === 0 || this.#kept.get(folder) === stamp) return;
    const known = this.#forms.get(folder);
    if (known && uses.every(({ specifier, kind }) => known.entries.has(importKey(specifier, kind)))) return;
    const found = await otherFormOf({ folder, ...question });
    if (found && isFit(found.builtins) && isAnother(found.form, uses)) {
      this.#forms.set(folder, found.form);
      this.version++;
    } else this.#kept.set(folder, stamp);
  }

  /** Folders of packages in the last build that use features of web pages. */
  get forPages(): readonly string[] {
    return this.#forPages;
  }

  /** Whether the file belongs to a package used in its Node build, so that its `browser` field does not apply. */
  isInNodeForm(file: string): boolean {
    const folder = this.#forms.size > 0 ? packageFolder(file) : undefined;
    return folder !== undefined && this.#forms.get(folder)?.as === 'node';
  }

  /** Adds the rules for the next build. */
  apply(build: PluginBuild): void {
    if (this.#stars.size > 0) keepStars(build, anyOf([...this.#starred]), this.#stars);
    const forms = [...this.#forms.values()];
    if (forms.length > 0) {
      const keys = forms.flatMap(({ entries, own }) => [...entries.keys(), ...own.keys()]);
      build.onResolve({ filter: anyOf(keys.map((key) => key.slice(key.lastIndexOf(' ') + 1))) }, (args) =>
        this.#inNodeForm(forms, args),
      );
    }
    if (this.#absent.size > 0) missingPackages(build, anyOf([...this.#absent]), this.#tried);
    if (this.#guessing.size > 0) computedPaths(build, anyOf([...this.#guessing]));
    if (this.#amd.size > 0) amdFiles(build, anyOf([...this.#amd]));
    if (this.#reading.size > 0) ownFiles(build, anyOf([...this.#reading]));
  }

  #inNodeForm(forms: readonly OtherForm[], { path, importer, kind }: OnResolveArgs): OnResolveResult | undefined {
    for (const { folder, entries, own } of forms) {
      const entry = isReachable(folder, importer) ? entries.get(importKey(path, kind)) : undefined;
      const file = entry ?? own.get(ownKey(importer, path, kind));
      if (file !== undefined && existsSync(file)) return { path: file };
    }
    return undefined;
  }
}

/** Whether these built-ins are usually only used for side features, such as reading files, or HTTP/2 beside HTTP. */
const onlyBeside = (builtins: readonly string[]) =>
  builtins.every(
    (name) => /^fs\b/.test(name) || (/^(?:domain|http2|net|tls)$/.test(name) && builtins.includes('http2')),
  );

/** Matches features of web pages and AMD. Packages also mention them in branches for pages, so a match is only a hint. */
const needsPage =
  /\b(document)\.(?:create|implementation|body|documentElement|getElementBy|querySelector)|\w ?= ?(document)[,;]|\bnew (?:\w+\.)?(DOMMatrix|DOMParser|XMLHttpRequest)\b|\}\)?\((window)\)|^[ \t]*(define)\(/gm;

/** Whether the file needs a page; false if it checks for one first. */
function isForPages(text: string): boolean {
  const needed = new Set([...text.matchAll(needsPage)].map(([, ...names]) => names.find(Boolean)));
  return [...needed].some((name) => !new RegExp(`typeof (?:\\w+\\.)?${name}\\b`).test(text));
}

function anyOf(specifiers: readonly string[]): RegExp {
  const escaped = specifiers.map((specifier) => specifier.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^(?:${[...new Set(escaped)].join('|')})$`);
}

/** The packages in the bundle: folder → bundled files. */
function bundledPackages(metafile: Metafile, files: ReadonlyMap<string, string>): Map<string, string[]> {
  const packages = new Map<string, string[]>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [key, { bytesInOutput }] of Object.entries(inputs)) {
      const file = files.get(key);
      const folder = bytesInOutput > 0 && file ? packageFolder(file) : undefined;
      if (file === undefined || folder === undefined) continue;
      const paths = packages.get(folder);
      if (paths) paths.push(file);
      else packages.set(folder, [file]);
    }
  }
  return packages;
}

/** Metafile keys of files that are imported by `import()` and too small to contain anything. */
function stubsIn({ inputs }: Metafile): string[] {
  const stubs: string[] = [];
  for (const { imports } of Object.values(inputs)) {
    for (const { path, kind } of imports) {
      if (kind === 'dynamic-import' && (inputs[path]?.bytes ?? Number.POSITIVE_INFINITY) <= 200) stubs.push(path);
    }
  }
  return stubs;
}

/**
 * Folders of packages whose browser build is an empty placeholder, found by `import()`. A static `import` of names would fail to build
 * instead.
 */
function hollowPackages(stubs: readonly string[], files: ReadonlyMap<string, string>): Set<string> {
  const hollow = new Set<string>();
  for (const stub of stubs) {
    const file = files.get(stub);
    const folder = file && packageFolder(file);
    if (folder && hasFormForBrowsers(folder) && exportsNothing.test(textOf(file))) hollow.add(folder);
  }
  return hollow;
}

const exportsNothing = /^\s*export ?\{ ?\};?\s*(?:\/\/[^\n]*(?:\n\s*|$))*$/;

function hasFormForBrowsers(folder: string): boolean {
  const { browser } = manifestOf(folder);
  return browser !== undefined || ['browser', 'worker', 'workerd'].some((name) => hasCondition(folder, name));
}

function hasCondition(folder: string, name: string): boolean {
  return JSON.stringify(manifestOf(folder)['exports'] ?? null).includes(`"${name}":`);
}

/** Whether the package has any other file in this form. */
function isAnother({ entries, own }: OtherForm, uses: readonly Use[]): boolean {
  const differs = uses.some(({ specifier, kind, got }) => (entries.get(importKey(specifier, kind)) ?? got) !== got);
  return differs || own.size > 0;
}

function usesOf(folder: string, metafile: Metafile, files: ReadonlyMap<string, string>): Use[] {
  const uses = new Map<string, Use>();
  for (const [key, importer] of files) {
    if (packageFolder(importer) === folder) continue;
    for (const { path, original, kind } of metafile.inputs[key]?.imports ?? []) {
      const file = files.get(path);
      if (original === undefined || !file || packageFolder(file) !== folder) continue;
      const use = { importer, specifier: original, kind, got: file } as Use;
      uses.set(importKey(original, use.kind), use);
    }
  }
  return [...uses.values()];
}

/** Reads the imports from the text, because a failed build has no record of them. */
function usesIn(importer: string, folder: string, got: string): Use[] {
  const name = RegExp.escape(nameOf(folder));
  const specifiers = [...textOf(importer).matchAll(new RegExp(`['"](${name}(?:/[^'"]*)?)['"]`, 'g'))];
  return [...new Set(specifiers.map((match) => match[1] ?? ''))].map((specifier) => ({
    importer,
    specifier,
    kind: 'import-statement',
    got,
  }));
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
