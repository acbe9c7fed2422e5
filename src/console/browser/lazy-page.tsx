import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Bones } from './parts.tsx';

/** A page whose code is loaded when it is first shown. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function LazyPage() {
    const [Page, setPage] = useState<ComponentType | undefined>(() => loaded);
    useEffect(() => {
      if (loaded) return;
      void load().then((page) => {
        loaded = page;
        setPage(() => page);
      });
    }, []);
    return Page ? <Page /> : <Bones />;
  };
}
