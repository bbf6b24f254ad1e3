"""Episodes, runs and data as files for others: pictures, animations, pages, reports."""
