import { useEffect } from 'preact/hooks';
import { slug } from './app.ts';
import { useQuestions } from './use-questions.ts';

/** Names the page: for the tab, with how many questions wait for a person, and for those who do not see it. */
export function PageTitle({ title }: { readonly title: string }) {
  const waiting = useQuestions().length;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${slug}`;
  }, [title, waiting]);
  return <h1 class="sr">{title}</h1>;
}
