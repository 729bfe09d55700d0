# The app with its default model inside, for `docker compose up`: docs/deploy.md. Nothing is fetched when it runs.
FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY locks/torch.txt locks/app.txt locks/
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir -r locks/torch.txt \
    && /venv/bin/pip install --no-cache-dir --no-deps --require-hashes -r locks/app.txt
COPY pyproject.toml README.md LICENSE app.py ./
COPY .streamlit/config.toml .streamlit/config.toml
COPY docs docs
COPY pages pages
COPY backlink_audit backlink_audit
RUN /venv/bin/pip install --no-cache-dir hatchling==1.33.0 \
    && /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
    && /venv/bin/pip uninstall --yes hatchling \
    && /venv/bin/python -m compileall -q /venv

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin audit \
    && install --directory --owner audit --mode 0700 /cache /store
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    HF_HUB_OFFLINE=1 \
    HF_HUB_DISABLE_TELEMETRY=1 \
    BACKLINK_AUDIT_CACHE=/cache \
    BACKLINK_AUDIT_STORE=/store/projects.sqlite
USER 10001
VOLUME /cache /store
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://localhost:8501/_stcore/health', timeout=4)"]
# Which names it answers to is said in compose.yaml.
ENTRYPOINT ["backlink-audit", "app", "--address", "0.0.0.0", "--port", "8501"]
CMD ["--host", "localhost"]
