"""django-oscar: a shop and its dashboard."""
