import { functionTypes } from '../../contract/index.ts';
import { curlLine, exampleVerb } from '../http/example-call.ts';
import type { FunctionInfo } from '../sources/function-source.ts';
import { html } from './html.ts';
import { type Page, page } from './page.ts';

export interface HomeData {
  readonly workspace: { readonly name: string; readonly slug: string };
  readonly baseUrl: string;
  /** The file of the local token, if this workspace belongs to no app's folder: apps are deployed to it from theirs. */
  readonly tokenFile?: string;
  /** All apps with their functions; the app in development first. */
  readonly apps: readonly {
    readonly app: string;
    readonly installed: boolean;
    /** Whether it is an app in development here, which the commands in its folder find by themselves. */
    readonly isLocal: boolean;
    readonly functions: readonly (FunctionInfo & { readonly example?: unknown })[];
  }[];
}

/** The page at `/`: what this workspace serves, and how to call it. */
export function homePage(data: HomeData): Page {
  const { workspace, apps } = data;
  return page({
    title: `${workspace.name} · local workspace`,
    links: [
      [`/tenants/${workspace.slug}`, 'Inbox'],
      [`/api/${workspace.slug}/openapi.json`, 'OpenAPI'],
    ],
    liveBy: `/tenants/${workspace.slug}/events`,
    body: html`<main>${apps.map((app) => appSection(data, app))}</main>`,
  });
}

type ShownApp = HomeData['apps'][number];

function appSection(data: HomeData, shown: ShownApp) {
  const { app, installed, functions } = shown;
  return html`<h2>${app} ${installed ? '' : html`<span class="tag">not installed</span>`}</h2>
${
  functions.length === 0
    ? html`<p class="soft">No functions yet. <code>fn init</code> makes one; it is live at once.</p>`
    : html`<ul class="list">${functions.map((info) => functionRow(data, shown, info))}</ul>`
}`;
}

function functionRow(data: HomeData, shown: ShownApp, info: ShownApp['functions'][number]) {
  const { app } = shown;
  const { name, type, config, problem, isStale } = info;
  const title = type ? functionTypes[type].title : 'does not build';
  return html`<li id="${app}/${name}">
<div class="row"><strong>${type === 'custom-view' ? html`<a href="/views/${app}/${name}">${name}</a>` : name}</strong>
<span class="tag">${title}</span>${problem ? html`<span class="tag bad">${problem.code}</span>` : ''}${isStale ? html`<span class="tag bad">its last good version runs</span>` : ''}
${config?.type === 'cron-job' ? html`<span class="soft small">${config.schedule} ${config.timezone}</span>` : ''}</div>
${problem ? html`<pre>${[problem.message, problem.hint].filter(Boolean).join('\n\n')}</pre>` : html`<pre>${howTo(data, shown, info)}</pre>`}
</li>`;
}

function howTo(
  { baseUrl, workspace, tokenFile }: HomeData,
  { app, isLocal }: ShownApp,
  { name, path, config, example = {} }: ShownApp['functions'][number],
): string {
  if (config?.type !== 'server-side-method' || config.expose === false) {
    if (config?.type === 'custom-view') return `${baseUrl}/views/${app}/${name}`;
    if (tokenFile !== undefined) return `fn invoke ${name} --remote`;
    return isLocal ? `fn invoke ${name}` : `fn api functions.invoke -f app=${app} -f name=${name}`;
  }
  const { methods, auth } = config.expose;
  const method = exampleVerb(methods);
  const url = `${baseUrl}/api/${workspace.slug}/custom-functions/${app}/${path}`;
  return curlLine({ method, url, auth, ...(method === 'POST' && { body: example }) }, tokenFile);
}
