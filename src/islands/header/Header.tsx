import { type MouseEvent, useEffect, useRef } from 'react';
import './header.css';

interface Props {
  /** Path of the page, without a trailing slash. */
  path: string;
}

/**
 * Returns the menu items (docs/product.md#header-and-navigation). Items for sections lead to the home page, which
 * contains the sections.
 * @param path of the page, without a trailing slash.
 */
function menuOf(path: string) {
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

/** Makes everything except the open menu inert, or active again. */
function keepAway(away: boolean) {
  for (const element of document.querySelectorAll<HTMLElement>('main, footer, .dock, .skip-link, .wordmark')) {
    element.inert = away;
  }
}

function takeFocus(close: HTMLElement | null) {
  keepAway(true);
  close?.focus();
}

/**
 * Renders the logo and the menu. On small screens the menu is a popover that opens without JavaScript. After hydration,
 * the open menu also keeps the focus inside, and closes when the visitor chooses a link.
 */
export default function Header({ path }: Props) {
  const menu = useRef<HTMLElement>(null);
  const close = useRef<HTMLButtonElement>(null);

  // Moves the focus into a menu that the visitor opened before hydration.
  useEffect(() => {
    if (menu.current?.matches(':popover-open')) takeFocus(close.current);
  }, []);

  function choose(event: MouseEvent<HTMLAnchorElement>) {
    if (menu.current?.matches(':popover-open')) menu.current.hidePopover();
    const already = path === '/' && event.currentTarget.pathname === '/' && event.currentTarget.hash === '';
    if (!already || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(null, '', '/');
    window.scrollTo(0, 0);
  }

  return (
    <header className="site-header" data-home={path === '/' || undefined}>
      <div className="sheet">
        <a className="wordmark" href="/" onClick={choose}>
          {/* The logo loads late, so the visible text gets its fonts first. `width` and `height` reserve the space. */}
          <img
            src="/uploads/logo"
            alt={`${FIRM_NAME}, home`}
            width="200"
            height="60"
            loading="lazy"
            fetchPriority="low"
          />
        </a>
        <button type="button" className="icon-button menu-open" popoverTarget="menu" aria-label="Open menu">
          <svg width="26" height="16" aria-hidden="true">
            <path d="M0 2h26M0 8h26M8 14h18" />
          </svg>
        </button>
        <nav
          id="menu"
          className="menu"
          popover="auto"
          aria-label="Main"
          ref={menu}
          onBeforeToggle={({ newState }) => newState === 'closed' && keepAway(false)}
          onToggle={({ newState }) => newState === 'open' && takeFocus(close.current)}
        >
          <button
            type="button"
            className="icon-button menu-close"
            popoverTarget="menu"
            popoverTargetAction="hide"
            aria-label="Close menu"
            ref={close}
          >
            <svg width="20" height="20" aria-hidden="true">
              <path d="m2 2 16 16M18 2 2 18" />
            </svg>
          </button>
          <ul>
            {menuOf(path).map(({ label, href, current }) => (
              <li key={label}>
                <a href={href} aria-current={current ? 'page' : undefined} onClick={choose}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  );
}
