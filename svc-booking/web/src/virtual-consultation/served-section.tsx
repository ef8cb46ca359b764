interface ServedSectionProps {
  className?: string | undefined;
  labelledBy: string;
}

/** Renders a section that needs no script: React keeps its served content, so the script has no copy of its texts. */
export function ServedSection({ className, labelledBy }: ServedSectionProps) {
  return (
    <section
      className={className}
      aria-labelledby={labelledBy}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: '' }}
    />
  );
}
