from __future__ import annotations

import base64
import json
import ssl
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import yaml


class ControlError(Exception):
    """The server refused a control. ``status`` is the Status that it sent."""

    def __init__(self, status: dict[str, Any]) -> None:
        super().__init__(status.get("message", "the server refused"))
        self.status = status


class Connection:
    """Requests of the administrator, without a Kubernetes client."""

    def __init__(self, kubeconfig: str) -> None:
        config = yaml.safe_load(kubeconfig)
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.server: str = cluster["server"]
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        self._context = ssl.create_default_context(cadata=authority)
        with tempfile.TemporaryDirectory() as folder:
            # the ssl module reads certificates of clients from files only
            certificate, key = Path(folder) / "cert", Path(folder) / "key"
            certificate.write_bytes(base64.b64decode(user["client-certificate-data"]))
            key.touch(mode=0o600)
            key.write_bytes(base64.b64decode(user["client-key-data"]))
            self._context.load_cert_chain(certificate, key)

    def send(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Returns the object in the response.

        :raises ControlError: for a response with a Status of failure
        """
        headers = {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "pytest-kubeloom"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self._context))
        try:
            with opener.open(request) as response:
                return json.load(response)  # type: ignore[no-any-return]
        except urllib.error.HTTPError as error:
            raise ControlError(json.loads(error.read())) from None
