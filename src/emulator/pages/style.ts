/** Style of every page: light and dark, readable at 360 pixels. */
export const style = `
:root{color-scheme:light dark;--bg:#f6f7f9;--panel:#fff;--ink:#16181d;--soft:#5b6472;--line:#e1e5eb;--accent:#3056d3;--accent-ink:#fff;--in:#eef1f6;--out:#dfe7ff;--ok:#1a7f47;--bad:#c0262d;--code:#f1f3f7;
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
@media screen and (prefers-color-scheme:dark){:root{--bg:#101216;--panel:#181b21;--ink:#e8eaf0;--soft:#9aa4b5;--line:#2a2f39;--accent:#8ea6ff;--accent-ink:#0e1116;--in:#242a34;--out:#26335c;--ok:#4ccb85;--bad:#ff7b80;--code:#20242c}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);overflow-wrap:anywhere}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
header.bar{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;padding:.75rem 1rem;background:var(--panel);border-bottom:1px solid var(--line)}
header.bar h1{font-size:1rem;margin:0}header.bar nav{display:flex;gap:1rem;margin-left:auto}
header.bar:has(#state:not(:empty)){position:sticky;top:0;z-index:1}
main{max-width:60rem;margin:0 auto;padding:1rem}
h2{font-size:1.05rem;margin:1.75rem 0 .5rem}h2:first-child{margin-top:.5rem}
.short{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}.lines{white-space:pre-line}
.soft{color:var(--soft)}.small{font-size:.85rem}
.card{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:1rem;margin:.5rem 0}
.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
.list{list-style:none;margin:0;padding:0;background:var(--panel);border:1px solid var(--line);border-radius:10px;overflow:hidden}.list:empty{display:none}
.list>li{overflow:clip;padding:.75rem 1rem;border-top:1px solid var(--line)}.list>li:first-child{border-top:0}
.row{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}.row .end{margin-left:auto}
.tag{font-size:.75rem;padding:.05rem .5rem;border:1px solid var(--line);border-radius:99px;background:var(--code);color:var(--soft)}
label{max-width:100%}
.bad,.tag.bad{color:var(--bad)}.tag.ok{color:var(--ok)}
code{overflow-wrap:anywhere}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{background:var(--code);border-radius:8px;padding:.6rem .75rem;margin:.5rem 0 0;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
button{font:inherit;color:var(--accent-ink);background:var(--accent);border:0;border-radius:8px;padding:.35rem .9rem;cursor:pointer}
button.plain{color:var(--accent);background:transparent;border:1px solid var(--line)}
select,input{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.3rem .5rem;max-width:100%}
.chat{display:flex;flex-direction:column;gap:.5rem;margin:1rem 0}
.write label{flex-basis:100%}.write input{flex:1;min-width:0}
.bubble{overflow:clip;max-width:min(34rem,88%);padding:.5rem .75rem;border-radius:12px;background:var(--in);align-self:flex-start;overflow-wrap:anywhere;white-space:pre-wrap}
.bubble.out{background:var(--out);align-self:flex-end}
.bubble .media{display:block;max-width:100%;max-height:20rem;border-radius:8px;margin:.25rem 0}
.bubble .by{display:block;font-size:.75rem;color:var(--soft)}
.bubble .head{font-weight:600;display:block}.bubble .foot{display:block;font-size:.8rem;color:var(--soft)}
.chips{display:flex;flex-wrap:wrap;gap:.35rem;margin-top:.4rem}.chips span{border:1px solid var(--line);border-radius:8px;padding:.1rem .6rem;background:var(--panel);font-size:.85rem}
.cards{display:flex;gap:.5rem;overflow-x:auto;margin-top:.4rem}.cards>div{min-width:11rem;border:1px solid var(--line);border-radius:8px;padding:.5rem;background:var(--panel)}
@media print{:root{color-scheme:light}.bubble,.tag{border:1px solid var(--line)}nav,.write{display:none}}
@media (forced-colors:active){button,.tag,.bubble,pre{border:1px solid}}
`;
