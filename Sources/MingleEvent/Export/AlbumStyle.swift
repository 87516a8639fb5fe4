// SPDX-License-Identifier: Apache-2.0

extension AlbumPage {
    /// The style of the page, light and dark.
    static let style = """
        /* The look of index.html beside this file. */
        :root { color-scheme: light dark; --line: color-mix(in srgb, currentcolor 20%, transparent); }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 80rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif;
          background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
        h1, h2 { line-height: 1.2; }
        a { color: LinkText; }
        a:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
        nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
        nav a { display: inline-block; padding: .5rem 0; }
        section { border-top: 1px solid var(--line); margin-top: 2rem; }
        .photos { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: 1.5rem 1rem;
          margin: 0; padding: 0; list-style: none; }
        figure { margin: 0; }
        figure > a { display: block; }
        img { display: block; width: 100%; height: auto; aspect-ratio: auto; border-radius: .25rem; }
        .nothing { display: block; padding: 2rem 1rem; border: 1px dashed var(--line); border-radius: .25rem; }
        figcaption span { display: block; }
        .comments { margin: .5rem 0; padding: 0 0 0 .75rem; list-style: none; border-inline-start: 2px solid var(--line); }
        .comments span { white-space: pre-line; }
        small { opacity: .8; }
        @media print { nav { display: none; } figure { break-inside: avoid; } }

        """
}
