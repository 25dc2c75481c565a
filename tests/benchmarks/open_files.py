"""How many files a process of the load may open: a connection is one."""

import resource


def allow_files(wanted: int) -> None:
    """Let this process open so many files, as far as the system lets it."""
    files, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files != resource.RLIM_INFINITY and files < wanted:
        most = wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, allowed))
