import { useEffect } from 'preact/hooks';
import { slug } from './app.ts';

/** Names the page: for the tab, and for those who do not see it. */
export function PageTitle({ title }: { readonly title: string }) {
  useEffect(() => {
    document.title = `${title} · ${slug}`;
  }, [title]);
  return <h1 class="sr">{title}</h1>;
}
