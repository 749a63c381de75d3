export interface MenuItem {
  readonly label: string;
  readonly href: string;
  /** The page that the visitor is on. */
  readonly current: boolean;
}

/**
 * The menu (spec §2, Header). On the home page its anchors are that page's own; on another page they lead back home.
 * @param path of the page, without a trailing slash.
 */
export function menuOf(path: string): MenuItem[] {
  const home = path === '/' ? '' : '/';
  const items = [
    { label: 'Home', href: '/' },
    { label: 'Services', href: `${home}#services` },
    { label: 'About', href: `${home}#about` },
    { label: 'Resources', href: `${home}#resources` },
    { label: 'Join the Team', href: '/join-team' },
    { label: 'Contact', href: path === '/' ? '#contact' : '/contact' },
  ];
  return items.map((item) => ({ ...item, current: item.href === path }));
}
